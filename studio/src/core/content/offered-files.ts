import type { PathFile } from './file-groups.ts';

/** Files that the studio's own server offers under `list`, each with an address to read it from. */
export async function offeredFiles(list: string): Promise<PathFile[]> {
  if (!/^[\w-]+$/.test(list)) throw new Error(`address: files (got "${list}", expected the name of a list)`);
  const answer = await fetch(`given/${list}`);
  if (!answer.ok) throw new Error('the files of the command line are no longer offered: start pliant studio again');
  const offered = (await answer.json()) as { path: string; address: string }[];
  return Promise.all(
    offered.map(async ({ path, address }): Promise<PathFile> => {
      const blob = await (await fetch(address)).blob();
      return [path, new File([blob], path.slice(path.lastIndexOf('/') + 1))];
    }),
  );
}
