import { useState } from 'react';
import { MAX_SCHOOL_RECORDS_BYTES, type SchoolRecordsSource } from '#contract/calls/school-records.ts';
import type { SchoolRecordsSchool } from '#contract/school-records-connection.ts';
import { paths } from '../../../../paths.ts';
import { announce } from '../../../../shared/announcements.ts';
import { useNavigate } from '../../../../shared/router.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../../../ui/FileDrop.tsx';
import { usePlanSchoolRecords } from '../school-records.api.ts';
import { ChooseSchool } from './ChooseSchool.tsx';

/** A file to read, and the choice of a school if it has pupils of several. */
export function UploadSection({ source }: { source: SchoolRecordsSource | undefined }) {
  const navigate = useNavigate();
  const plan = usePlanSchoolRecords(useSchoolId());
  const [undecided, setUndecided] = useState<{ file: File; schools: SchoolRecordsSchool[] } | null>(null);
  const [ignoresChoice, setIgnoresChoice] = useState(false);
  const chosen = source?.school ?? null;

  const send = (file: File, school?: string) =>
    plan.mutate(
      { file, school },
      {
        onSuccess: ({ run_id: runId, schools }) => {
          if (runId !== null) return void navigate(paths.schoolRecordsRun(runId));
          setUndecided({ file, schools });
          announce('Choose a school.');
        },
      },
    );
  return (
    <Card aria-labelledby="upload-title">
      <h2 id="upload-title">Upload a file</h2>
      {plan.error && <ErrorNotice error={plan.error} lost="Nothing has been changed." />}
      {undecided ? (
        <ChooseSchool
          source="file"
          schools={undecided.schools}
          chosen={chosen?.source_id ?? null}
          isBusy={plan.isPending}
          onChoose={(school) => send(undecided.file, school.source_id)}
        >
          <Button variant="subtle" onClick={() => setUndecided(null)}>
            Choose another file
          </Button>
        </ChooseSchool>
      ) : (
        <>
          <FileDrop
            label="Choose a file"
            hint="OneRoster 1.1 or 1.2 (zip), or a Common or Admissions Transfer File (xml or zip), up to 50 MB"
            endings={['zip', 'xml']}
            maxBytes={MAX_SCHOOL_RECORDS_BYTES}
            isBusy={plan.isPending}
            onFile={(file) => send(file, ignoresChoice ? '' : undefined)}
          />
          {chosen && (
            <Checkbox
              className="measure above-m"
              label="Ask me again which school to read"
              description={`From a file with several schools, we read the pupils of ${chosen.name}, as you chose.`}
              checked={ignoresChoice}
              onChange={({ currentTarget }) => setIgnoresChoice(currentTarget.checked)}
            />
          )}
        </>
      )}
      <p className="note measure">
        We read names, dates of birth, year groups, classes and unique pupil numbers (UPNs), and nothing else. The file
        is not kept. UPNs and dates of birth are stored only in a form that cannot be read back.
      </p>
    </Card>
  );
}
