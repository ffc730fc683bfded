import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { leanThree } from '../../studio/build/lean-three.mjs';

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const plugin = leanThree(PACKAGES);
const lean = (code: string, file: string): string | undefined =>
  plugin.transform.call({ parse: parseAst }, code, `${PACKAGES}/three/src/${file}`);
const ours = (code: string) => () =>
  plugin.transform.call({ parse: parseAst }, `import { Color } from 'three';\n${code}`, '/pliant/studio/src/a.ts');

describe('three.js without what the studio never draws', () => {
  it('reads names as what they always are', () => {
    expect(lean('if (object.isSprite) draw();', 'core/Object3D.js')).toBe('if (false) draw();');
    expect(lean('if (material.envMap !== null) draw();', 'core/Object3D.js')).toBe('if (null !== null) draw();');
    expect(lean('use(parameters.numSpotLights);', 'renderers/webgl/WebGLPrograms.js')).toBe('use(0);');
    expect(lean('const lib = { toon: a, phong: b };', 'renderers/shaders/ShaderLib.js')).toBe(
      'const lib = {  phong: b };',
    );
  });

  it('leaves out cases, constants and copies that there are none of', () => {
    expect(lean("switch (order) { case 'XYZ': a(); break; case 'ZYX': b(); }", 'math/Euler.js')).not.toContain('b()');
    expect(lean('if (format === RGFormat) a();', 'renderers/webgl/WebGLUtils.js')).toBe('if (false) a();');
    expect(lean('class Mesh { copy() {} draw() {} }', 'objects/Mesh.js')).toBe('class Mesh {  draw() {} }');
    expect(lean('class Vector { copy() {} }', 'math/Vector3.js')).toBeUndefined();
  });

  it('refuses to compare what reads as nothing with a truth', () => {
    const compare = () => lean('opaque = material.envMap === false;', 'core/Object3D.js');
    expect(compare).toThrow('core/Object3D.js: envMap is compared with false, but reads as null');
  });

  it('refuses what the studio makes or sets of it', () => {
    expect(ours('new Color(0xffffff); material.map = a;')).not.toThrow();
    expect(ours("import { SpotLight } from 'three';")).toThrow('SpotLight of three.js is left out');
    expect(ours('material.alphaMap = a;')).toThrow('alphaMap of three.js is left out');
    expect(ours("material.color.set('red');")).toThrow("'red' of three.js is left out");
  });

  it('says which entries nothing matched, unless the build failed before', () => {
    const complain = (message: string): never => {
      throw new Error(message);
    };
    const end = (error?: Error) => () => plugin.buildEnd.call({ error: complain }, error);
    expect(end()).toThrow(/^three\.js has no .*isAmbientLight.*: has its version changed\?$/);
    expect(end(new Error('before'))).not.toThrow();
  });
});
