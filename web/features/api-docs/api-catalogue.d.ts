declare module 'virtual:api-catalogue' {
  /** Written by scripts/api-catalogue.ts from the contract. */
  // oxlint-disable-next-line typescript/consistent-type-imports -- an import would make this file a module, which declares none
  export const catalogue: readonly import('../../../contract/derive/endpoint-doc.ts').EndpointDoc[]
}
