/** The nations of the United Kingdom, whose schools differ in year groups and term dates. */
export const NATIONS = ['england', 'scotland', 'wales', 'northern_ireland'] as const;
export type Nation = (typeof NATIONS)[number];

export const NATION_NAMES: Readonly<Record<Nation, string>> = {
  england: 'England',
  scotland: 'Scotland',
  wales: 'Wales',
  northern_ireland: 'Northern Ireland',
};

const areas = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const SCOTLAND = areas('AB DD DG EH FK G HS IV KA KW KY ML PA PH TD ZE');
const WALES = areas('CF LD LL NP SA');
const OUTSIDE = areas('GY IM JE');

/** Districts of Wales in areas that are mostly in England. */
const WELSH_DISTRICTS = areas('CH5 CH6 CH7 CH8 SY15 SY16 SY17 SY18 SY19 SY20 SY21 SY22 SY23 SY24 SY25');
/** Districts of England in an area that is mostly in Scotland. */
const ENGLISH_DISTRICTS = areas('TD12 TD15');

/**
 * The nation of an address, guessed from its postcode's area and, at the borders, its district. Null outside the United
 * Kingdom.
 * @param country a three-letter code
 */
export function guessNation({ postcode, country }: { postcode: string; country: string }): Nation | null {
  const [district = '', area = ''] = /^([A-Z]{1,2})\d{1,2}/.exec(postcode.trim().toUpperCase()) ?? [];
  if (country !== 'GBR' || district === '' || OUTSIDE.has(area)) return null;
  if (area === 'BT') return 'northern_ireland';
  if (ENGLISH_DISTRICTS.has(district)) return 'england';
  if (SCOTLAND.has(area)) return 'scotland';
  return WALES.has(area) || WELSH_DISTRICTS.has(district) ? 'wales' : 'england';
}
