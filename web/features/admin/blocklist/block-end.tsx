import { blockedNetworks } from '../../../texts/admin/blocklist-messages.ts'
import { Select } from '../../../ui/forms/select.tsx'

/** In how many days a block ends. */
export type BlockEnd = keyof typeof blockedNetworks.endsIn
const ends = ['never', '1', '7', '30', '365'] as const satisfies BlockEnd[]

export const daysOf = (end: BlockEnd): number | undefined => (end === 'never' ? undefined : Number(end))

export const BlockEndSelect = ({ value, onChange }: { value: BlockEnd; onChange: (end: BlockEnd) => void }) => (
  <Select
    label={blockedNetworks.ends}
    hasLabel
    value={value}
    options={ends.map((end) => [end, blockedNetworks.endsIn[end]])}
    onChange={onChange}
  />
)
