/** Where on the page the first orange dot of the picture is. */
export async function findOrange(canvas: Element): Promise<{ x: number; y: number }> {
  const picture = document.createElement('canvas');
  const context = picture.getContext('2d')!;
  const { width, height, left, top } = canvas.getBoundingClientRect();
  Object.assign(picture, { width, height });
  for (let look = 0; look < 5000; look++) {
    // A picture can be read only in the frame that it was drawn in.
    dispatchEvent(new KeyboardEvent('keydown', { key: 'f' }));
    await new Promise((done) => requestAnimationFrame(done));
    context.drawImage(canvas as HTMLCanvasElement, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    for (let i = 0; i < data.length; i += 4) {
      if (data[i] > 240 && data[i + 1] > 150 && data[i + 1] < 200 && data[i + 2] < 120) {
        return { x: left + ((i / 4) % width) + 2, y: top + Math.floor(i / 4 / width) + 4 };
      }
    }
  }
  throw new Error('no control point is to be seen');
}
