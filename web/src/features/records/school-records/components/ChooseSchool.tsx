import { type ReactNode, useState } from 'react';
import type { SchoolRecordsSchool } from '#contract/school-records-connection.ts';
import { count } from '../../../../shared/format.ts';
import { Button } from '../../../../ui/Button.tsx';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';

interface Props {
  /** What has the schools: `file` or `server`. */
  source: string;
  schools: readonly SchoolRecordsSchool[];
  /** The ID of the chosen one; null without a choice. */
  chosen: string | null;
  isBusy: boolean;
  onChoose: (school: SchoolRecordsSchool) => void;
  /** Another button beside it. */
  children?: ReactNode;
}

/** The schools in a file or on a server, of which an admin chooses their own. */
export function ChooseSchool({ source, schools, chosen, isBusy, onChoose, children }: Props) {
  const [id, setId] = useState(chosen);
  const school = schools.find(({ source_id: sourceId }) => sourceId === id);
  const [error, setError] = useState<string>();
  return (
    <div className="stack-m">
      <RadioButtons
        label="Which school do you want to read?"
        description={
          schools.length > 1
            ? `The ${source} has pupils of ${schools.length} schools. We remember your choice.`
            : `The ${source} has no pupils of the school that you chose before.`
        }
        value={school?.source_id ?? null}
        onChange={(value) => {
          setId(value);
          setError(undefined);
        }}
        data={schools.map(({ source_id: value, name, pupils }) => ({
          value,
          label: `${name}, ${count(pupils, 'pupil')}`,
        }))}
        error={error}
      />
      <div className="cluster">
        <Button loading={isBusy} onClick={() => (school ? onChoose(school) : setError('Choose a school.'))}>
          Continue
        </Button>
        {children}
      </div>
    </div>
  );
}
