/** Drivers that draw on the processor, by what they call themselves: Chromium's, Mesa's, those of Windows and macOS. */
const DRIVERS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export const isSoftware = (driver: string): boolean => DRIVERS.test(driver);

/** Whether this browser draws without a graphics card. Asks a canvas of its own: what the real one is made for depends on it. */
export function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return false;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const driver = String(gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return isSoftware(driver);
}
