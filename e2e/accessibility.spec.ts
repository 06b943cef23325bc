// Every screen in both themes, through axe: WCAG 2.2 AA.
import { AxeBuilder } from '@axe-core/playwright'
import { screens } from './routes.ts'
import { expect, test } from './test.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })

    for (const { name, open } of screens) {
      test(name, async ({ page }) => {
        await open(page)
        const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
        const found = violations.map(
          ({ id, help, nodes }) =>
            `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n  ${node.failureSummary}`).join('\n')}`,
        )
        expect(found).toEqual([])
      })
    }
  })
}
