export function studioFiles(): { path: string; first: boolean; gzipped: number }[];
export function studioSize(): { first: number; onDemand: number };
export function buildStudio(): Promise<void>;
