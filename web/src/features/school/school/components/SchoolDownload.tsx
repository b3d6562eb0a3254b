import { Button } from '../../../../ui/Button.tsx';
import { useMutation } from '@tanstack/react-query';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { download } from '../../../../shared/download.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Card } from '../../../../ui/Card.tsx';
import css from './SchoolSettings.module.css';

/** The whole school as one file. For admins. */
export function SchoolDownload() {
  const id = useSchoolId();
  const file = useMutation({
    mutationFn: () => download(downloadCalls.exportSchool.path, { params: { id } }, 'school.zip'),
  });
  return (
    <Card className={css.box} aria-labelledby="school-download">
      <h2 id="school-download">All school data</h2>
      <p>
        A ZIP of spreadsheets: pupils with their classes and tags, classes, teachers, and what each pupil read by school
        year. You can import its list of pupils in Add Pupils. It does not contain passwords.
      </p>
      {file.error && <ErrorNotice error={file.error} />}
      <Button variant="default" loading={file.isPending} onClick={() => file.mutate()}>
        Download the school
      </Button>
    </Card>
  );
}
