// What completes a search.
import type { QueryOperator } from '../../../contract/plain/image-query.ts'
import { countedImages } from '../counts.ts'

export const search = {
  list: 'Suggestions',
  operators: {
    tag: 'With a tag, or one below it',
    type: 'Of a format',
    is: 'Private or public',
    expires: 'That expire sooner or later',
    before: 'Uploaded before a day',
    after: 'Uploaded from a day on',
    size: 'Larger or smaller files',
    views: 'Viewed more or less often',
  } satisfies Partial<Record<QueryOperator, string>>,
  values: {
    'tag:none': 'Without tags',
    'is:private': 'That only you can open',
    'is:public': 'That everyone with the address can open',
    'expires:<7d': 'Within a week',
    'expires:<30d': 'Within 30 days',
    'expires:>180d': 'In more than half a year',
    'after:7d': 'In the last 7 days',
    'after:30d': 'In the last 30 days',
    'before:30d': 'More than 30 days ago',
    'before:1y': 'More than a year ago',
    'size:>1mb': 'Larger than 1 MB',
    'size:>5mb': 'Larger than 5 MB',
    'size:<100kb': 'Smaller than 100 KB',
    'views:>100': 'Viewed more than 100 times',
    'views:<1': 'Never viewed',
  } as Record<string, string>,
  images: countedImages,
  chips: 'Search terms',
  removeChip: (term: string) => `Remove ${term}`,
  problem: (term: string, expected: string) => `'${term}': expected ${expected}`,
}
