-- What Redis gives a script: no os, no io, no require, no globals of its own. `weir` is the table of prelude.lua, which
-- stands before every script as a local.
std = { read_globals = { 'redis', 'KEYS', 'ARGV', 'cjson', 'cmsgpack', 'struct', 'bit', 'assert', 'error', 'ipairs', 'next',
  'pairs', 'pcall', 'select', 'tonumber', 'tostring', 'type', 'unpack', 'math', 'string', 'table', 'weir' } }
max_line_length = 120
files['**/prelude.lua'] = { ignore = { '241/weir', '431/weir' } } -- its readers are the scripts
