import { formatYearGroup, YEAR_GROUPS, type YearGroup } from '#contract/year-group.ts';

const SCOTLAND_AND_NORTHERN_IRELAND = YEAR_GROUPS.filter((code) => code.startsWith('P'));
const ENGLAND_AND_WALES = YEAR_GROUPS.filter((code) => !code.startsWith('P'));

/** The options of a select of year groups. An empty one is not known. */
export const YearGroupOptions = () => (
  <>
    <option value="">Not known</option>
    <YearGroups label="England and Wales" codes={ENGLAND_AND_WALES} />
    <YearGroups label="Scotland and Northern Ireland" codes={SCOTLAND_AND_NORTHERN_IRELAND} />
  </>
);

const YearGroups = ({ label, codes }: { label: string; codes: readonly YearGroup[] }) => (
  <optgroup label={label}>
    {codes.map((code) => (
      <option key={code} value={code}>
        {formatYearGroup(code)}
      </option>
    ))}
  </optgroup>
);
