import { countries, FIRST_COUNTRIES } from '#contract/countries.ts';

const names = new Intl.DisplayNames('en-GB', { type: 'region' });

/** English name of a country by its three-letter code; the code itself where there is none. */
export const countryName = (code: string): string => {
  const short = countries.get(code);
  return (short && names.of(short)) || code;
};

/** The countries to choose from: those that are likely first, then all by name. */
export function countryChoices(): { value: string; label: string; disabled?: boolean }[] {
  const choice = (code: string) => ({ value: code, label: countryName(code) });
  const rest = [...countries.keys()].filter((code) => !(FIRST_COUNTRIES as readonly string[]).includes(code));
  return [...FIRST_COUNTRIES.map(choice), { value: '', label: '──────────', disabled: true }, ...rest.map(choice).sort((a, b) => a.label.localeCompare(b.label, 'en-GB'))];
}
