import { Switch } from '../../../../ui/Checkbox.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useSetNewStatistics } from '../operators.api.ts';

/** Switches the new statistics on for one school, while not every school has them. */
export function NewStatisticsSwitch({ schoolId, isOn }: { schoolId: number; isOn: boolean }) {
  const set = useSetNewStatistics(schoolId);
  return (
    <>
      <Switch
        label="New statistics"
        description="For this school only. If they are on for every school, switching them off here changes nothing."
        checked={set.isPending ? set.variables : isOn}
        disabled={set.isPending}
        onChange={({ currentTarget }) => set.mutate(currentTarget.checked)}
      />
      {set.error && <ErrorNotice error={set.error} lost="The setting has not changed." />}
    </>
  );
}
