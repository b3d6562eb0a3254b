import { countries } from '#contract/countries.ts';

/** English name of a country by its three-letter code; the code itself where there is none. */
export const countryName = (code: string): string => countries.get(code) ?? code;
