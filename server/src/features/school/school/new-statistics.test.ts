import { operatorCalls } from '#contract/calls/operators.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { hasNewStatistics } from './new-statistics.access.ts';

const app = testApp({ NEW_STATISTICS: 'limited', PRODUCT_NAME: 'Larkfield' });

const featuresOf = async ({ id, admin }: { id: number; admin: { token: string } }) =>
  (await app.call(schoolCalls.getSchool, { params: { id }, token: admin.token })).reply.enterprise.features;

describe('NEW_STATISTICS=limited', () => {
  test('gives the new statistics to schools whose name contains the product name, and to no others', async () => {
    expect(await featuresOf(await app.build.school({ name: 'The larkfield Academy' }))).toEqual(['new_statistics']);
    expect(await featuresOf(await app.build.school({ name: 'Lark Field Primary' }))).toEqual([]);
  });

  test('gives the new statistics to a school for which an operator turned them on', async () => {
    const school = await app.build.school();
    const { token } = await app.build.operator();
    for (const [new_statistics, features] of [
      [true, ['new_statistics']],
      [false, []],
    ] as const) {
      await app.call(operatorCalls.setSchoolFeatures, {
        token,
        params: { schoolId: school.id },
        body: { new_statistics },
      });
      expect(await featuresOf(school)).toEqual(features);
    }
  });

  test('gives the new statistics to the school with the ID 15', () => {
    const limited = { newStatistics: 'limited', productName: 'Larkfield' } as const;
    const school = (id: number) => ({ id, name: 'Any Primary', new_statistics: false });
    expect(hasNewStatistics(school(15), limited)).toBe(true);
    expect(hasNewStatistics(school(16), limited)).toBe(false);
    expect(hasNewStatistics(school(16), { ...limited, newStatistics: 'all' })).toBe(true);
  });
});
