/** How long paced work goes on before everything else has its turn. */
export const MAX_SLICE_MS = 1;
