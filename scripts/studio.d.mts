export function studioFiles(): { path: string; welcome: boolean; first: boolean; gzipped: number }[];
export function studioSize(): { welcome: number; first: number; onDemand: number };
export function buildStudio(): Promise<void>;
