import { Switch } from '@mantine/core';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSetNewStatistics } from '../operators.api.ts';

/** Gives a school the new statistics, where not every school has them. */
export function NewStatisticsSwitch({ schoolId, isOn }: { schoolId: number; isOn: boolean }) {
  const set = useSetNewStatistics(schoolId);
  return (
    <>
      <Switch
        label="New statistics"
        description="For this school. Where the server gives them to every school, switching them off changes nothing."
        checked={set.isPending ? set.variables : isOn}
        disabled={set.isPending}
        onChange={({ currentTarget }) => set.mutate(currentTarget.checked)}
      />
      {set.error && <ErrorNotice error={set.error} lost="The switch stays as it was." />}
    </>
  );
}
