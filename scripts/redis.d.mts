export function findRedis(): string | undefined;
export function ensureRedis(log?: (line: string) => void): string | undefined;
