import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useState } from 'react';
import { useNavigate } from '../../../../shared/router.ts';
import type {
  SchoolRecordsConnection,
  ConnectionTest,
  SchoolRecordsSchool,
} from '#contract/school-records-connection.ts';
import { paths } from '../../../../paths.ts';
import { count, formatMoment } from '../../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { Card } from '../../../../ui/Card.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { describeChosen } from '../model/connection-text.ts';
import { useCheckConnection, useRemoveConnection, useSetConnection, useTestConnection } from '../school-records.api.ts';
import { ChooseClasses } from './ChooseClasses.tsx';
import { ChooseSchool } from './ChooseSchool.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { FileNotes } from './FileNotes.tsx';

/** The school's OneRoster server: connect, test, check, pause and remove. */
export function ConnectionSection({ connection }: { connection: SchoolRecordsConnection | null }) {
  const isOwner = !useUser().impersonated_by;
  const [isEditing, setEditing] = useState(false);
  return (
    <Card className="below-2xl" aria-labelledby="connection-title">
      <h2 id="connection-title">Connection</h2>
      {connection ? (
        <Connected connection={connection} isOwner={isOwner} onEdit={() => setEditing(true)} />
      ) : (
        <>
          <p>
            If your management information system offers OneRoster, we can check it every night. You get an email when
            there are changes to check.
          </p>
          {isOwner && <Button onClick={() => setEditing(true)}>Add a connection</Button>}
        </>
      )}
      <Dialog
        isOpen={isEditing}
        onClose={() => setEditing(false)}
        title={connection ? 'Change the connection' : 'Add a connection'}
      >
        <ConnectionForm connection={connection} onClose={() => setEditing(false)} />
      </Dialog>
    </Card>
  );
}

interface Props {
  connection: SchoolRecordsConnection;
  isOwner: boolean;
  onEdit: () => void;
}

function Connected({ connection, isOwner, onEdit }: Props) {
  const schoolId = useSchoolId();
  const navigate = useNavigate();
  const check = useCheckConnection(schoolId);
  const test = useTestConnection(schoolId);
  const set = useSetConnection(schoolId);
  const [found, setFound] = useState<ConnectionTest | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const isBusy = check.isPending || test.isPending;
  // A test comes first: it offers the choice of classes.
  const wasChecked = connection.checked_at !== null;
  const failure = test.error ?? check.error ?? set.error;

  const tryOut = () => {
    check.reset();
    setFound(null);
    test.mutate(undefined, { onSuccess: setFound });
  };
  const chooseSchool = ({ source_id: id, name }: SchoolRecordsSchool) => {
    // Classes and year groups were chosen among those of the other school.
    const isOther = id !== connection.school?.source_id;
    const others = isOther && connection.school ? { classes: [], school_years: [] } : {};
    set.mutate({ school: { source_id: id, name }, ...others }, { onSuccess: tryOut });
  };
  const checkNow = () => {
    test.reset();
    setFound(null);
    check.mutate(undefined, {
      onSuccess: ({ run_id: runId }) => {
        if (runId !== null) void navigate(paths.schoolRecordsRun(runId));
        else showToast(DEFAULT_SUCCESS, { detail: 'Nothing differs from your system' });
      },
    });
  };
  return (
    <>
      <p className="flat">
        <strong>{new URL(connection.url).host}</strong>
      </p>
      <p className="soft flat below-m">
        {connection.is_paused ? 'Paused: it is not checked at night.' : 'Checked every night.'}{' '}
        {describeChosen(connection)}{' '}
        {connection.checked_at &&
          connection.found &&
          `Last check on ${formatMoment(connection.checked_at)}: ${count(connection.found.pupils, 'pupil')} in ${count(connection.found.classes, 'class', 'classes')}.`}
      </p>
      {failure && <ErrorNotice error={failure} lost="Nothing has been changed." />}
      {!failure && connection.failure && (
        <Notice kind="warning" title={`The check on ${formatMoment(connection.checked_at ?? '')} failed`}>
          {connection.failure} Nothing was changed.
        </Notice>
      )}
      <div className="cluster above-m below-m">
        <Button
          variant={wasChecked ? 'filled' : 'default'}
          loading={check.isPending}
          disabled={isBusy}
          onClick={checkNow}
        >
          Check now
        </Button>
        <Button variant={wasChecked ? 'default' : 'filled'} loading={test.isPending} disabled={isBusy} onClick={tryOut}>
          Test the connection
        </Button>
        <Button
          variant="default"
          loading={set.isPending}
          onClick={() => set.mutate({ is_paused: !connection.is_paused })}
        >
          {connection.is_paused ? 'Resume' : 'Pause'}
        </Button>
        {isOwner && (
          <>
            <Button variant="default" onClick={onEdit}>
              Change
            </Button>
            <Button variant="default" aria-label="Remove the connection" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </>
        )}
      </div>
      {found && !found.needs_school && (
        <>
          <Notice
            isOutcome
            kind="success"
            title={`Found ${count(found.pupils, 'pupil')} in ${count(found.classes.length, 'class', 'classes')}`}
          />
          <FileNotes notes={found.notes} />
        </>
      )}
      {found && (found.needs_school || found.schools.length > 1) && (
        <ChooseSchool
          source="server"
          schools={found.schools}
          chosen={connection.school?.source_id ?? null}
          isBusy={set.isPending}
          onChoose={chooseSchool}
        />
      )}
      {found && !found.needs_school && (
        <ChooseClasses connection={connection} found={found} onClose={() => setFound(null)} />
      )}
      <Checkbox
        className="measure above-l"
        checked={connection.is_automatic}
        disabled={set.isPending}
        onChange={({ currentTarget }) => set.mutate({ is_automatic: currentTarget.checked })}
        label="At night, add new pupils and change classes without asking"
        description="This begins once an administrator has applied a first check. Leavers, changes of name, questions and large changes always need an administrator."
      />
      <RemoveConnection isOpen={isRemoving} onClose={() => setRemoving(false)} />
    </>
  );
}

function RemoveConnection({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const remove = useRemoveConnection(useSchoolId());
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title="Remove the connection?"
      action="Remove the connection"
      lost="The connection has not been removed."
      onConfirm={async () => {
        await remove.mutateAsync();
        showToast(DEFAULT_SUCCESS, { detail: 'The connection has been removed' });
      }}
    >
      <p>
        All pupils, classes and planned changes stay. We delete the address and the client secret, and check no more at
        night.
      </p>
    </Confirm>
  );
}
