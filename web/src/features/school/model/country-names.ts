import { countries } from '#contract/countries.ts';

const names = new Intl.DisplayNames('en-GB', { type: 'region' });

/** English name of a country by its three-letter code; the code itself where there is none. */
export const countryName = (code: string): string => {
  const short = countries.get(code);
  return (short && names.of(short)) || code;
};
