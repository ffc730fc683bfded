import type { Texture } from 'three';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import { sharedRenderer } from './renderer.ts';

/** KTX2 pictures, by the loader and the transcoder of three.js. Loaded when a file needs it. */

/** Text of the loader's worker, which the loader puts behind the transcoder. */
const classes = KTX2Loader as unknown as { BasisWorker: { toString(): string } };
const worker = classes.BasisWorker.toString();
const body = `{(${bindWithoutEval})();${worker.slice(worker.indexOf('{') + 1)}`;
classes.BasisWorker = { toString: () => body };

const loader = new KTX2Loader().detectSupport(sharedRenderer().renderer);

/** A texture for uvs whose v points up. */
export async function ktx2Texture(bytes: Uint8Array): Promise<Texture> {
  const texture = await new Promise<Texture>((done, fail) => void loader.parse(bytes.slice().buffer, done, fail));
  // Blocks cannot be flipped.
  texture.repeat.y = -1;
  texture.offset.y = 1;
  return texture;
}

/**
 * The transcoder (Emscripten's embind) makes functions of text, which the studio's content security policy forbids. This runs
 * in the worker and replaces `Function` by one that knows both kinds: calls of C++, and calls back. It uses nothing from here.
 */
function bindWithoutEval(): void {
  // biome-ignore lint/suspicious/noExplicitAny: what embind passes has no types.
  type Any = any;
  const callOf = (given: Any, types: Any[], text: string) =>
    function (this: unknown, ...args: unknown[]): unknown {
      if (args.length !== types.length) given.throwBindingError(`${given.humanName}: ${args.length} arguments`);
      const destructors: unknown[] | null = text.includes('var destructors') ? [] : null;
      const isMethod = text.includes('var thisWired');
      const own = isMethod ? [given.classParam.toWireType(destructors, this)] : [];
      const wired = types.map((type, i) => type.toWireType(destructors, args[i]));
      const result = given.invoker(given.fn, ...own, ...wired);
      if (destructors) given.runDestructors(destructors);
      if (isMethod) given.thisWired_dtor?.(own[0]);
      for (const [i, value] of wired.entries()) given[`arg${i}Wired_dtor`]?.(value);
      return text.includes('fromWireType') ? given.retType.fromWireType(result) : undefined;
    };
  const callBackOf =
    (given: Any, types: Any[], text: string) => (self: unknown, call: Any, destructors: unknown, from: number) => {
      let at = from;
      const args = types.map((type) => {
        const value = type.readValueFromPointer(at);
        at += type.argPackAdvance;
        return value;
      });
      const withSelf = text.includes('call(obj') ? [self, ...args] : args;
      const result = text.includes('new func') ? new call(...args) : call.call(...withSelf);
      return given.emval_returnValue?.(given.retType, destructors, result);
    };
  /** Like `Function(names…, text)`, to be called with what the names stand for. */
  function FromText(...names: string[]) {
    const text = names.pop()!;
    return (...values: unknown[]) => {
      const given = Object.fromEntries(names.map((name, n) => [name, values[n]]));
      const types = names.filter((name) => name.startsWith('argType')).map((name) => given[name]);
      return (names[0] === 'humanName' ? callOf : callBackOf)(given, types, text);
    };
  }
  FromText.prototype = Function.prototype;
  Object.assign(globalThis, { Function: FromText });
}
