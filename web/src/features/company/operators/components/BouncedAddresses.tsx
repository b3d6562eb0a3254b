import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BouncedAddress } from '#contract/calls/mail-delivery.ts';
import { count, formatDate } from '../../../../shared/format.ts';
import { Button } from '../../../../ui/Button.tsx';
import { type Column, DataTable, type RowModel } from '../../../../ui/DataTable.tsx';
import { EmailText } from '../../../../ui/EmailText.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { bouncedAddressesQuery, useRetryAddress } from '../background-work.api.ts';

const ROW_MODEL: RowModel<BouncedAddress> = { key: ({ email }) => email, name: ({ email }) => email };

/** The addresses to which emails could not be delivered, with a way to try each again. */
export function BouncedAddresses() {
  const list = useQuery({ ...bouncedAddressesQuery(), refetchInterval: 60_000 });
  const total = list.data?.meta.total_filtered ?? 0;
  const rows = list.data?.addresses;
  const { mutate, error } = useRetryAddress();
  const columns = useMemo(
    () => columnsOf((email) => mutate(email, { onSuccess: () => showToast(`Emails are sent to ${email} again`) })),
    [mutate],
  );
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <DataTable
        label="Addresses that bounce"
        columns={columns}
        rows={rows}
        rowModel={ROW_MODEL}
        noun={['address', 'addresses']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={<EmptyState title="No email has come back because its address does not exist" />}
      />
      {rows && rows.length < total && (
        <p className="soft">
          These are the latest {rows.length} of {total}.
        </p>
      )}
    </>
  );
}

const columnsOf = (onRetry: (email: string) => void): Column<BouncedAddress>[] => [
  { id: 'email', header: 'Email', cell: ({ email }) => <EmailText email={email} /> },
  {
    id: 'bounces',
    header: 'Came back',
    cell: ({ bounces, is_blocked: isBlocked }) =>
      isBlocked ? `${count(bounces, 'email')}; no more are sent` : count(bounces, 'email'),
  },
  {
    id: 'reason',
    header: 'Last answer',
    cell: ({ reason, last_at: at }) => `${formatDate(at)}: ${reason}`,
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: ({ email }) => (
      <Button variant="default" aria-label={`Try again with ${email}`} onClick={() => onRetry(email)}>
        Try again
      </Button>
    ),
  },
];
