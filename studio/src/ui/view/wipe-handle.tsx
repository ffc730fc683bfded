import type { Signal } from '@preact/signals-core';

/** The border between original and fitted, which is dragged, or moved by keys. */
export function WipeHandle({ wipe, host }: { wipe: Signal<number>; host: HTMLElement | null }) {
  const move = (share: number) => {
    wipe.value = Math.max(0.02, Math.min(0.98, share));
  };
  return (
    <div
      class="wipe"
      role="slider"
      tabIndex={0}
      aria-label="Border between original and fitted"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * wipe.value)}
      style={{ left: `${100 * wipe.value}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!host || event.buttons === 0) return;
        const { left, width } = host.getBoundingClientRect();
        move((event.clientX - left) / width);
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
        if (step === undefined) return;
        event.stopPropagation();
        move(wipe.value + step);
      }}
    />
  );
}
