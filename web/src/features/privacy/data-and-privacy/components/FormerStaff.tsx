import { Button } from '../../../../ui/Button.tsx';
import type { FormerMember } from '#contract/calls/privacy.ts';
import { paths } from '../../../../paths.ts';
import { formatDate, fullName } from '../../../../shared/format.ts';
import { Actions } from '../../../../ui/Actions.tsx';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { type Column, DataTable, ROWS_BY_ID } from '../../../../ui/DataTable.tsx';
import { WhileOpen } from '../../../school/school/school.public.ts';

/** Absent for a user who cannot erase accounts. */
type OnErase = ((person: FormerMember) => void) | undefined;

const columnsOf = (onErase: OnErase): Column<FormerMember>[] => [
  { id: 'name', header: 'Name', cell: (person) => fullName(person) },
  { id: 'email', header: 'Email', cell: ({ email }) => email ?? 'Works at another school now' },
  { id: 'left', header: 'Left', cell: ({ left_on }) => formatDate(left_on) },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (person) => (
      <Actions>
        {person.email !== null && (
          <ButtonLink
            to={paths.newSubjectRequest({ staff: person.id })}
            variant="default"
            aria-label={`Data request about ${fullName(person)}`}
          >
            Data request
          </ButtonLink>
        )}
        {onErase && (
          <WhileOpen>
            <Button
              variant="default"
              color="brick"
              aria-label={`Erase the account of ${fullName(person)}`}
              onClick={() => onErase(person)}
            >
              Erase
            </Button>
          </WhileOpen>
        )}
      </Actions>
    ),
  },
];

/** People who left the staff. */
export const FormerStaff = ({ people, onErase }: { people: FormerMember[]; onErase: OnErase }) => (
  <DataTable
    label="Former staff"
    columns={columnsOf(onErase)}
    rows={people}
    rowModel={ROWS_BY_ID}
    noun={['person', 'people']}
    empty="People who leave the staff appear here."
  />
);
