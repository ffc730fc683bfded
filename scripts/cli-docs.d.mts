export function cliPage(pliant: (...args: string[]) => string): string;
