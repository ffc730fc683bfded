import { PliantError, type RunOptions, type Skeleton, type SkinnedModel } from '../../../src/index.ts';
import type { PathFile } from '../core/content/file-groups.ts';
import type { SessionData, SessionDoc, StoredFile } from '../core/session/session.ts';
import type { Jobs, JobTable } from './protocol.ts';
import { checkSession } from './session-check.ts';
import { type OpenDoc, unpackFile } from './session-file.ts';

type Run = Required<RunOptions>;

/**
 * Reads a session, and puts together what was kept of one document. Rejects with `bad-file` for anything but a whole session,
 * and `unsupported` for one of another version.
 */
export const loadSession: JobTable['load'] = async ({ file, content, name, kept }, run) => {
  const { files, ...open } = content ?? {};
  const session = file
    ? await unpackFile(file, name, run)
    : { active: 0, docs: [{ title: name, content: open, fits: [], state: {} }] };
  try {
    if (kept) await addKept(session as SessionData, kept, name, run);
    checkSession(session);
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    throw new PliantError('bad-file', 'open', `damaged: ${error.explain()}`, { file: name });
  }
  const found = ready(session as SessionData);
  if (files) Object.assign(found.docs[0].content, { files });
  return found;
};

/** In place: the results and the state of its only document. */
async function addKept(
  { docs }: SessionData,
  { results, state }: NonNullable<Jobs['load']['input']['kept']>,
  name: string,
  run: Run,
): Promise<void> {
  const made = results && ((await unpackFile(results, name, run)) as SessionData).docs[0];
  const { title: _, content: __, ...found } = made ?? {};
  Object.assign(docs[0], found, { state });
}

/** Puts frames into shared memory, and restores skeletons that models shared. */
function ready(session: SessionData): SessionData {
  /** The first skeleton with an array, which is still one. */
  const known = new Map<unknown, Skeleton>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
    const rig = value as Partial<SkinnedModel>;
    if (rig.skeleton) {
      const { inverseBind } = rig.skeleton;
      if (!known.has(inverseBind)) known.set(inverseBind, rig.skeleton);
      rig.skeleton = known.get(inverseBind);
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(session.docs);
  if (globalThis.crossOriginIsolated) {
    for (const part of session.docs.flatMap(({ content }) => content.sequences)) part.frames = shared(part.frames);
  }
  return { ...session, docs: session.docs.map(withFiles) };
}

function shared(values: Float32Array): Float32Array {
  const out = new Float32Array(new SharedArrayBuffer(values.byteLength));
  out.set(values);
  return out;
}

/** The other way: the browser has the bytes of files. */
function withFiles({ files, ...doc }: SessionDoc): OpenDoc {
  const fileOf = ({ path, bytes }: StoredFile): PathFile => [path, new File([new Uint8Array(bytes)], path)];
  return files ? { ...doc, content: { ...doc.content, files: files.map(fileOf) } } : doc;
}
