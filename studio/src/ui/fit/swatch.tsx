import { resultColour } from '../../core/fit/result-colours.ts';

/** The colour of a result, as its curve has it. */
export const Swatch = ({ id }: { id: number }) => <i class="swatch" style={{ background: resultColour(id) }} />;
