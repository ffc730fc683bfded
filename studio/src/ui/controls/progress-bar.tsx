/** How far something has come. */
export const ProgressBar = ({ label, share }: { label: string; share?: number }) => (
  <div class="progress">
    <progress aria-label={label} value={share} max={1} />
    <span>{label}</span>
    <span class="number">{share === undefined ? '' : `${Math.floor(100 * share)} %`}</span>
  </div>
);
