import { Button } from '../../../../ui/Button.tsx';
import type { SubjectRequestDetails } from '#contract/calls/subject-requests.ts';
import { SUBJECT_FILE_DAYS } from '#contract/calls/subject-requests.ts';
import { formatMoment } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Actions } from '../../../../ui/Actions.tsx';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useDownloadFile, useMakeFile } from '../subject-access.api.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';

/** A size in bytes: "31 KB", "2.4 MB". */
const formatSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function describe({ state, size, expires_at: expiresAt }: SubjectRequestDetails['file']): string {
  if (state === 'making') return 'We are gathering the data. This takes a minute or two, and you can leave this page.';
  if (state === 'failed')
    return 'The file could not be made. If a note has been written since, decide about it and make the file again.';
  if (state === 'expired') return 'The file has expired, and we have deleted it. Make it again if you still need it.';
  if (state === 'ready' && expiresAt)
    return `The file is ready${size === null ? '' : ` (ZIP, ${formatSize(size)})`}. You can download it until ${formatMoment(expiresAt)}; then we delete it.`;
  return `One ZIP with a page to read (HTML and PDF) and every entry as tables (CSV and JSON). We keep it encrypted for ${SUBJECT_FILE_DAYS} days. It contains no passwords.`;
}

/** Makes the file and downloads it. */
export function SubjectFile({ request }: { request: SubjectRequestDetails }) {
  const schoolId = useSchoolId();
  const make = useMakeFile(schoolId, request.id);
  const file = useDownloadFile(schoolId, request.id);
  const { state } = request.file;
  const stateOfFile = describe(request.file);
  useAnnouncement(stateOfFile);
  const isMaking = make.isPending || state === 'making';
  const undecided =
    request.identity_check === null
      ? 'Record how you checked who asks first.'
      : request.texts.undecided > 0
        ? 'Decide about every note first.'
        : undefined;
  return (
    <>
      <p>{stateOfFile}</p>
      {make.error && <ErrorNotice error={make.error} />}
      {file.error && <ErrorNotice error={file.error} />}
      <Actions>
        {state === 'ready' && request.identity_check !== null && (
          <Button loading={file.isPending} onClick={() => file.mutate()}>
            Download the file
          </Button>
        )}
        <DisabledReasonButton
          variant={state === 'ready' ? 'default' : 'filled'}
          loading={isMaking}
          disabledReason={undecided}
          onClick={() => make.mutate()}
        >
          {state === 'none' ? 'Make the file' : 'Make the file again'}
        </DisabledReasonButton>
      </Actions>
    </>
  );
}
