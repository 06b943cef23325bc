// What completes a search.
import type { QueryOperator } from '../../../contract/plain/image-query.ts'

export const search = {
  list: 'Suggestions',
  operators: {
    tag: 'With a tag, or one below it',
    type: 'By file format',
    is: 'Private or public',
    expires: 'By when they expire',
    before: 'Uploaded before a date',
    after: 'Uploaded on a date or later',
    size: 'By file size',
    views: 'By number of views',
  } satisfies Partial<Record<QueryOperator, string>>,
  values: {
    'tag:none': 'Without tags',
    'is:private': 'Only you can open them',
    'is:public': 'Everyone with the address can open them',
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
  chips: 'Search terms',
  removeChip: (term: string) => `Remove ${term}`,
  problem: (term: string, expected: string) => `'${term}': expected ${expected}`,
}
