/** Something will be here soon. */
export const Spinner = () => (
  <div class="spinner" role="status" aria-label="Loading">
    <i />
  </div>
);
