-- What Redis gives a script: no os, no io, no require, no globals of its own. After it, the locals of prelude.lua, which
-- stands before every script.
std = { read_globals = { 'redis', 'KEYS', 'ARGV', 'cjson', 'cmsgpack', 'struct', 'bit', 'assert', 'error', 'ipairs', 'next',
  'pairs', 'pcall', 'select', 'tonumber', 'tostring', 'type', 'unpack', 'math', 'string', 'table',
  'now', 'peek', 'reply', 'check', 'is_integer', 'mul_div', 'decide_at', 'ttl', 'read', 'write', 'answer' } }
max_line_length = 120
files['**/prelude.lua'] = { ignore = { '211', '431' } } -- its readers are the scripts
