import { countries } from '#contract/countries.ts';

/** English name of a country by its three-letter code; the code itself if it is unknown. */
export const countryName = (code: string): string => countries.get(code) ?? code;
