import { describe, expect, it } from 'vitest';
import { DEFAULT_CATEGORY_ID } from '../../../shared/schemas/category.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp } from '../../dev/test/test-app.ts';

describe.each(databases)('categories on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it("are the catalogue's, sorted by name and public, and the default one has id 1", async () => {
    const { body } = await expectNoTick(app, () => app.api.get('/categories').expect(200));
    expect(body.success).toBe(true);
    expect(body.data).toHaveLength(31);
    expect(body.data).toContainEqual({ id: DEFAULT_CATEGORY_ID, name: 'General' });
    const names = body.data.map((each: { name: string }) => each.name.toLowerCase());
    expect(names).toEqual([...names].sort());
  });
});
