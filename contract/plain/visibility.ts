/** public: everyone with its address may view it. private: its owner, admins, and who has a view key. */
export const visibilities = ['public', 'private'] as const
export type Visibility = (typeof visibilities)[number]
