export function studioSize(folder?: string): { studio: number; onDemand: number; samples: number };
export function buildStudio(): Promise<void>;
