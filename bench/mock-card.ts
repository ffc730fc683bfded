import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const DRIVER = 'libVkICD_mock_icd.so';

/**
 * The environment in which Chromium finds its mock driver of graphics cards, which takes every command and draws nothing;
 * undefined where it has none. Chromium's own description of the driver is left out of packages: a new one is written.
 */
export function mockCard(chromium: string, folder: string): Record<string, string> | undefined {
  const places = [dirname(realpathSync(chromium)), join('/usr/lib', basename(chromium))];
  const driver = places.map((place) => join(place, DRIVER)).find((file) => existsSync(file));
  if (!driver) return undefined;
  const description = join(folder, 'mock-card.json');
  const text = { file_format_version: '1.0.0', ICD: { library_path: driver, api_version: '1.3.0' } };
  writeFileSync(description, JSON.stringify(text));
  return { VK_DRIVER_FILES: description };
}
