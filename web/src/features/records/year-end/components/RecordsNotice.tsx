import type { YearEndRecords } from '#contract/calls/year-end.ts';
import { paths } from '../../../../paths.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Link } from '../../../../ui/Link.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { recordsInWords } from '../model/records-text.ts';

/** Where the proposed steps come from: the school records, or else how to get them from there. */
export function RecordsNotice({ records }: { records: YearEndRecords | null }) {
  if (records?.state !== 'planned' || records.classes.length === 0)
    return (
      <p className="measure">
        If your management information system has next year’s classes, upload its file under{' '}
        <Link to={paths.schoolRecords()}>School records</Link> first: it fills in this page.
      </p>
    );
  return (
    <Notice
      title="Your school records have the classes of next year"
      action={
        <ButtonLink size="sm" variant="default" to={paths.schoolRecordsRun(records.run_id)}>
          Show the records
        </ButtonLink>
      }
    >
      {recordsInWords(records)}. The classes below are filled in from them. Apply the year end first: the records then
      only add pupils, and move those who change to another class.
    </Notice>
  );
}
