/** Direction of an arrow key, 1 or −1, whose event ends here; 0 for other keys. */
export function arrowOf(event: KeyboardEvent): number {
  const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key] ?? 0;
  if (sign !== 0) {
    event.stopPropagation();
    event.preventDefault();
  }
  return sign;
}
