/** Hands a file to the person: the browser saves it under this name. */
export function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address when it begins to save.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
