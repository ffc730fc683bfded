export const CHROMIUM_FLAGS: string[];
export const CARDLESS_FLAGS: string[];
export const MOCK_CARD_FLAGS: string[];
export function findChromium(): string | undefined;
export function ensureChromium(log?: (line: string) => void): string | undefined;
