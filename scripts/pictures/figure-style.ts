/** Lays figures out side by side, each with a title and a caption, in the width of the page or another. */
export function styleFigures(width = 'auto'): void {
  document.head.insertAdjacentHTML(
    'beforeend',
    `<style>
      body { margin: 0; display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 12px; padding: 16px;
             background: #f6f5f2; font: 15px/1.35 system-ui, sans-serif; color: #22252a; width: ${width}; }
      figure { margin: 0; background: #fff; border-radius: 10px; overflow: hidden; box-shadow: 0 1px 4px #0002; }
      canvas { display: block; }
      figcaption { padding: 10px 16px 14px; }
      b { display: block; font-size: 17px; }
      span { color: #5b6068; }
    </style>`,
  );
}
