export function foldShader(source: string, never: ReadonlySet<string>): string;
