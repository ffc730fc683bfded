/** The package has no types of its own. */
declare module 'gltf-validator' {
  export interface Issue {
    code: string;
    message: string;
    /** 0 error, 1 warning, 2 information, 3 hint. */
    severity: number;
    pointer?: string;
  }
  export interface Validation {
    issues: { numErrors: number; numWarnings: number; numInfos: number; numHints: number; messages: Issue[] };
  }
  export function validateBytes(bytes: Uint8Array, options?: { maxIssues?: number }): Promise<Validation>;
}
