export function studioSize(folder?: string): { studio: number; samples: number };
export function buildStudio(): Promise<void>;
