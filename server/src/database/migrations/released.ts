/**
 * SHA-256 of the statements of each released migration, by engine. Such a migration is never changed: databases hold what it did when it
 * was applied. Another schema is another migration, whose hash is added here with the release that brings it.
 */
export const RELEASED: Record<string, { sqlite: string; postgres: string }> = {
  '0001-start': {
    sqlite: '2c00bc15e19c737b82971a482dc11ad9486abfad77b15017fddac68b556a1c86',
    postgres: '99d5ee449aed0801cc184fdf35ba7adda5f1d2d405b9118a95fa54aa9cd6566d',
  },
  '0002-photo-states': {
    sqlite: '9d7846cf510fee8b494587e0a746e53109735b770622d14d19ab657f03a7448e',
    postgres: '9d7846cf510fee8b494587e0a746e53109735b770622d14d19ab657f03a7448e',
  },
  '0003-gallery': {
    sqlite: 'a19d630b1ddb80232ff196327f76d54233b19e571f928f2a6133b806a12afc7c',
    postgres: '262a7e52acc910fdb024ebcc217b38b8cf2efa6f166457c876b3d8b6c65cde72',
  },
  '0004-settings': {
    sqlite: 'ea39471608586c0a77fa73fa5d4dd8ca3ca0722e234f279382aff6a04af4449c',
    postgres: 'a0d89970446aa6faf28ced6cabb7037d6128ce27f039ab0c8951028b43d60991',
  },
  '0005-outbox': {
    sqlite: '7484bdc0a384d120aec848e293ba1b22a84b09e6a352102ba5d90e72c6ad96e9',
    postgres: '0f91b1367417717642ce63d70f6ceec621e1c6f50f70966f04c3baf0364d752d',
  },
  '0006-connections': {
    sqlite: 'e64ded43d17ba6d08989bf8ca1fadbb3b496145f7e4a1a759cc01d45e7da190a',
    postgres: 'adeab16af775459dbb251e17a0a333cf6c371690e273224acfdfe2980d68c405',
  },
  '0007-receipts': {
    sqlite: '48c1bf63e08ef68acd9173eff7620ffb79fbc6f36f6db1888dbf3643f04525e2',
    postgres: 'a3a37084cbf5df8d6993390f4ca57941f4eef0fdd90fde7b70e9e06a6100a601',
  },
  '0008-event-notes': {
    sqlite: 'd0518fbe8d5695bd03d12d7a5af4b6b79e05c23b17532899e6a3f10c91346e66',
    postgres: '607ba140e0e8ec215f51e46d05c045a367edca125b9028dbf99c14d98a11eb96',
  },
  '0009-assistants': {
    sqlite: '8b4e5672462bc8d07710d59d5541959d46d21185d94b00029cf5b3f972644734',
    postgres: '8fe4d2c9f525a26d41d49f81058639c52908f39ddce2cfd823afdf3596aa4e61',
  },
  '0010-second-factor': {
    sqlite: 'f0b4cdb5109cbc6d660dc0b62968dcdd83caeadc88c70f0a9a09b1c0f0d6729f',
    postgres: '2aab1e9459329919d0dbb4866105e5d2a0215cb053cc25f862aaeb0d1af5919d',
  },
  '0011-open-attempts': {
    sqlite: '546e6bfcaab2ba1bd2a9d5eef6d13c47dfae4950c20a681ec70118e207492ebe',
    postgres: 'da4c76bf7bd2f6eb2a24a8f92020c4734e7b05e9c7f6d882d56027ec1ab46caf',
  },
  '0013-mail-server': {
    sqlite: '84191dfb47d892f62777f56231f9eb796626a19cbce2dcf93362d8a536c1e922',
    postgres: 'a7d65cbd27b51fc922ae32b9dbd0c49a2a3313ed38a3b84a97b4285e1cb6e945',
  },
  '0015-walls': {
    sqlite: '5d4ccaaa9e3b7eea3050a2d437f384f68e96706aefef4132e83e45f3e6c90b04',
    postgres: '11045fa66e506b64406d931c4cb3377f29f0c23f7d19549e3ac2bc2e76a57690',
  },
  '0016-link-previews': {
    sqlite: 'df0fd0ac30c165849a6fb39b4a14fbd1a962d73e61b469da5f104ddb744d9ad0',
    postgres: 'df0fd0ac30c165849a6fb39b4a14fbd1a962d73e61b469da5f104ddb744d9ad0',
  },
  '0017-booths-seen': {
    sqlite: '7274a6d3eb435436c1958556f1b0d8536fc354f895abd7c8171aa82737f386eb',
    postgres: '7274a6d3eb435436c1958556f1b0d8536fc354f895abd7c8171aa82737f386eb',
  },
  '0018-phone-language': {
    sqlite: '385a55360a1419bdc64e0deafdd7e32dd25b10c382adb7d63f089a0a283d03ee',
    postgres: '385a55360a1419bdc64e0deafdd7e32dd25b10c382adb7d63f089a0a283d03ee',
  },
  '0019-large-pictures': {
    sqlite: 'f35b6e2b6975360dd7e2a9fd21b9554a3a32bfacab2c5d9e82fa3abc0c32af3d',
    postgres: 'f35b6e2b6975360dd7e2a9fd21b9554a3a32bfacab2c5d9e82fa3abc0c32af3d',
  },
  '0020-zip-coverage': {
    sqlite: '5bfb5a6573c2a42d98637eb4060369d80f19b3fbe32b5bc50a96d210473cc9e5',
    postgres: '5bfb5a6573c2a42d98637eb4060369d80f19b3fbe32b5bc50a96d210473cc9e5',
  },
  '0021-told-photos': {
    sqlite: '8d48ada2bf3b305463e9bbc197fea8c7c997afff13242c4b1cb722cd5b1e7c15',
    postgres: '8d48ada2bf3b305463e9bbc197fea8c7c997afff13242c4b1cb722cd5b1e7c15',
  },
  '0022-zip-parts': {
    sqlite: '7c01a6a00614dee4f6d8ce31030f637ea13970b860e368bfe598893a4c3d6915',
    postgres: '7c01a6a00614dee4f6d8ce31030f637ea13970b860e368bfe598893a4c3d6915',
  },
  '0023-audit-account': {
    sqlite: '485fb18ec051793ec3a793ffe4639d2780ae9b48916e79271f8c0f17b5419e9c',
    postgres: '485fb18ec051793ec3a793ffe4639d2780ae9b48916e79271f8c0f17b5419e9c',
  },
};
