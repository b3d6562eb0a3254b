import { Button } from '../../../../ui/Button.tsx';
import { count, formatTime } from '../../../../shared/format.ts';
import { Notice } from '../../../../ui/Notice.tsx';
import { storeUnfinishedImport, type UnfinishedImport } from '../model/unfinished-import.ts';

interface Props {
  unfinished: UnfinishedImport;
  onContinue: () => void;
}

/** An import whose page was closed before the reply arrived. */
export const UnfinishedNotice = ({ unfinished, onContinue }: Props) => (
  <Notice
    kind="warning"
    title={`You were adding ${count(unfinished.request.pupils.length, 'pupil')} when this page closed`}
    action={
      <>
        <Button size="sm" onClick={onContinue}>
          Show what was added
        </Button>
        <Button size="sm" variant="default" onClick={() => storeUnfinishedImport(null)}>
          Hide
        </Button>
      </>
    }
  >
    You started at {formatTime(new Date(unfinished.at).toISOString())}. We finish adding any pupils that are missing,
    then show their logins. No pupil is added twice.
  </Notice>
);
