/** Placeholder for the chart during a fit, so that the view keeps its size. */
export const ErrorChartRoom = () => (
  <div class="chart">
    <div class="chart-title">
      <span class="values fades">Error per frame, once bones are fitted</span>
    </div>
    <div class="chart-host" />
  </div>
);
