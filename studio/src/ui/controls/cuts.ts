/** Marks which ends of a strip of the class `fades` are cut: they fade, as a sign that it scrolls. */
export function markCuts({ classList, scrollLeft, scrollWidth, clientWidth }: Element): void {
  classList.toggle('cut-left', scrollLeft > 1);
  classList.toggle('cut-right', scrollLeft + clientWidth < scrollWidth - 1);
}
